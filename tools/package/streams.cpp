/* CUB includes <iostream>, so an object of the program starts the streams of gcc's C++ library. zig's
 * library has other ones. The program writes to none of them. */
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
