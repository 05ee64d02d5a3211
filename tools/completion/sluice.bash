# Bash completion of sluice. The words come from the program itself: sluice --complete WORD...
# Installed with the program; to try it: . tools/completion/sluice.bash

_sluice()
{
    local program=${1/#\~\//$HOME/} words=() word tail strip line i
    # The shell splits words at "=": --out=x arrives as three, and is put together again.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [ ${#words[@]} -gt 0 ] && [ -n "$word" ] &&
            { [ "$word" = "=" ] || [ "${COMP_WORDS[i - 1]}" = "=" ]; }; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
    done
    word=${words[${#words[@]} - 1]} tail=${COMP_WORDS[COMP_CWORD]}
    [ "$tail" = "=" ] && tail=
    strip=${word%"$tail"} # bash replaces only what follows the last "="
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
        :*) _sluice_files "${line%%$'\t'*}" "$tail" ;;
        *)
            line=${line%%$'\t'*}
            COMPREPLY+=("${line#"$strip"}")
            [ "${line%=}" = "$line" ] || compopt -o nospace 2>/dev/null
            ;;
        esac
    done < <("$program" --complete "${words[@]}" 2>/dev/null)
}

# Paths that begin with $2: :dir folders, :config also *.cfg, :file all.
_sluice_files()
{
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <(
        [ "$1" = :file ] && compgen -f -- "$2"
        [ "$1" = :config ] && compgen -f -X '!*.cfg' -- "$2"
        [ "$1" = :file ] || compgen -d -- "$2"
    )
}
complete -F _sluice sluice
