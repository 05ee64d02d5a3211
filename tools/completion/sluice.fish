# Fish completion of sluice. The words come from the program itself: sluice --complete WORD...
# Installed with the program; to try it: source tools/completion/sluice.fish

function __sluice_complete
    set -l typed (commandline -opc)
    set -l now (commandline -ct)
    for line in ($typed[1] --complete $typed[2..-1] "$now" 2>/dev/null)
        set -l word (string split -m 1 \t -- $line)
        set -l path (string replace -- "$word[2]" '' $now)
        switch $word[1]
            case ':dir'
                string replace -r '^' -- "$word[2]" (__fish_complete_directories $path '')
            case ':config'
                string replace -r '^' -- "$word[2]" (__fish_complete_path $path) |
                    string match -r '.*(?:/|\.cfg)(?:\t.*)?$'
            case ':file'
                string replace -r '^' -- "$word[2]" (__fish_complete_path $path)
            case '*'
                echo $line
        end
    end
end
complete -c sluice -f -a '(__sluice_complete)'
