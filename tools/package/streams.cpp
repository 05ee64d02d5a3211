/* For zig's C++ library, which has another `std::ios_base`: CUB includes <iostream>, whose object
 * begins the streams of gcc's library. Nothing of a GPU backend writes to them. */
namespace std
{
struct ios_base {
    struct Init {
        Init();
        ~Init();
    };
};
ios_base::Init::Init() {}
ios_base::Init::~Init() {}
} // namespace std
