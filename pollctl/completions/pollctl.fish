# Completion of pollctl for fish.
function _pollctl_completion
    set -l token (commandline -ct)
    set -l head (string match -r -- '^--[^=]*=' $token)
    set -l begun (string replace -r -- '^--[^=]*=' '' $token)
    set -l line (commandline -cp | string collect)
    set -l program (string replace -r '^~' $HOME -- (commandline -opc)[1])
    for item in (env _POLLCTL_COMPLETE=fish_complete COMP_WORDS=$line $program 2> /dev/null)
        set -l parts (string split -m 1 , -- $item)
        switch $parts[1]
            case plain open
                echo "$head$parts[2]"
            case file
                for path in (complete -C "'' $begun")
                    echo "$head$path"
                end
        end
    end
end

complete -c pollctl -f -k -a '(_pollctl_completion)'
