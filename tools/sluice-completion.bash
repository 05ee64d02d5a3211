# Bash completion of sluice: verbs, options, config files, run folders, and the keys that --set takes.
# Everything comes from the program itself (sluice help --list, sluice info --keys), so that it
# cannot fall behind. Installed with the program; to try it: . tools/sluice-completion.bash

# What stands for KIND: the words that begin with CUR go to COMPREPLY.
_sluice_offer()
{
    local program=$1 kind=$2 cur=$3
    case $kind in
    none | int | flag) ;;
    verb) mapfile -t COMPREPLY < <(compgen -W "$(_sluice_table "$program" verb)" -- "$cur") ;;
    config)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(
            compgen -f -X '!*.cfg' -- "$cur"
            compgen -d -- "$cur"
        )
        ;;
    dir)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$cur")
        ;;
    file)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        ;;
    key)
        compopt -o nospace 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -S = -W "$("$program" info --keys 2>/dev/null | grep -v '\[\]')" -- "$cur")
        ;;
    *) mapfile -t COMPREPLY < <(compgen -W "${kind//|/ }" -- "$cur") ;;
    esac
}

# verb: all verbs. argument VERB: how its argument is completed. options VERB: its options.
# option VERB OPTION: how the option's value is completed ("flag": it has none).
_sluice_table()
{
    "$1" help --list 2>/dev/null | awk -F '\t' -v what="$2" -v verb="$3" -v option="$4" '
        what == "verb" && $1 == "verb" { print $2 }
        what == "argument" && $1 == "verb" && $2 == verb { print $3 }
        what == "options" && $1 == "option" && $2 == verb { print $3; if ($4 != "none") print $4 }
        what == "option" && $1 == "option" && $2 == verb && ($3 == option || $4 == option) { print $5 }'
}

_sluice()
{
    local program=${1/#\~\//$HOME/} cur=$2 previous=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} kind
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _sluice_offer "$program" verb "$cur"
        return
    fi
    # The shell splits words at "=": --out=x arrives as three.
    [ "$cur" = "=" ] && cur=
    if [ "$previous" = "=" ] && [ "$COMP_CWORD" -ge 3 ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    elif [ "${COMP_WORDS[COMP_CWORD]}" != "=" ] && [ "${cur#-}" != "$cur" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_sluice_table "$program" options "$verb")" -- "$cur")
        return
    fi
    kind=
    [ "${previous#-}" != "$previous" ] && kind=$(_sluice_table "$program" option "$verb" "$previous")
    if [ -z "$kind" ] || [ "$kind" = flag ]; then
        kind=$(_sluice_table "$program" argument "$verb")
    fi
    _sluice_offer "$program" "$kind" "$cur"
}
complete -F _sluice sluice
