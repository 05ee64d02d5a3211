#!/usr/bin/env bash
# test: 25 s, slow
# `make site`: no link of a page leads nowhere, every page has its place in the contents, and nothing
# is fetched from elsewhere. Needs Sphinx with MyST and furo.
. tests/support/tap.sh
python=$(tools/find-python.sh sphinx myst_parser furo) ||
    { echo "1..0 # SKIP no Sphinx with MyST and furo" && exit 0; }

site=$work/site
run 0 "$python" -m sphinx -q -W --keep-going -d "$work/doctrees" -c tools/site . "$site"
is_empty "$err" "no link leads nowhere, and no page stands outside the contents"
ok "a first page" test -s "$site/index.html"
pages=$(find docs -name '*.md' | wc -l)
ok "all $pages pages of docs/" test "$(find "$site/docs" -name '*.html' | wc -l)" -eq "$pages"
ok "links to source files lead to copies" \
    grep -q 'href="../_downloads/[0-9a-f]*/effects.def"' "$site/docs/design.html"
fetched()
{
    ! grep -rlE '(src|href)="(https?:)?//[^"]*\.(js|css|woff2?)"' "$site" --include='*.html'
}
ok "scripts, styles and fonts are its own" fetched

mkdir -p "$work/gallery/still_water"
echo movie >"$work/gallery/still_water/movie.mp4"
run 0 env GALLERY="$work/gallery" "$python" -m sphinx -q -W --keep-going -d "$work/doctrees" \
    -c tools/site . "$site"
is_empty "$err" "a site with a movie, made anew"
ok "the movie is there" cmp -s "$work/gallery/still_water/movie.mp4" "$site/movies/still-water.mp4"
ok "and its picture until it plays" test -s "$site/movies/still-water.png"
shown()
{
    grep -q '<video [^>]*src="../movies/still-water.mp4"' "$site/docs/gallery.html" &&
        [ "$(grep -c '<video ' "$site/docs/gallery.html")" -eq 1 ]
}
ok "in the gallery, in place of its picture alone" shown
done_testing
