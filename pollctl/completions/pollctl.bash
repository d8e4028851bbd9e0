# Completion of pollctl for bash 4.4 or later.
_pollctl_completion() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            plain,*) COMPREPLY+=("${line#*,}") ;;
            open,*) COMPREPLY+=("${line#*,}") && compopt -o nospace ;;
            file,*) compopt -o default ;;
        esac
    done <<< "$(env _POLLCTL_COMPLETE=bash_complete COMP_WORDS="${COMP_LINE:0:COMP_POINT}" \
        COMP_CWORD="$2" "${1/#\~/"$HOME"}" 2> /dev/null)"
}

complete -o nosort -F _pollctl_completion pollctl
