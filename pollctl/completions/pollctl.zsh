#compdef pollctl
# Completion of pollctl for zsh.

_pollctl() {
    local type key descr head=${(M)PREFIX#--*=}
    local -a response plain plain_told open open_told

    response=("${(@f)$(env _POLLCTL_COMPLETE=zsh_complete \
        COMP_WORDS="${(j: :)words[1,CURRENT-1]} $QIPREFIX$IPREFIX$PREFIX" \
        ${~words[1]} 2> /dev/null)}")

    for type key descr in $response; do
        case $type:$descr in
            plain:_) plain+=("$head$key") ;;
            plain:*) plain_told+=("$head$key:$descr") ;;
            open:_) open+=("$head$key") ;;
            open:*) open_told+=("$head$key:$descr") ;;
            file:*) [[ -n $head ]] && compset -P 1 '*='; _files ;;
        esac
    done

    (( $#plain_told )) && _describe -V plain plain_told -U
    (( $#open_told )) && _describe -V open open_told -U -S ''
    (( $#plain )) && compadd -U -V plain -a plain
    (( $#open )) && compadd -U -V open -S '' -a open
}

if [[ $funcstack[1] == _pollctl ]]; then
    _pollctl "$@"
else
    compdef _pollctl pollctl
fi
