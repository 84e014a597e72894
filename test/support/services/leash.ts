/**
 * A shell's program that prints the id of a process and runs it until the pipe from here closes, which the end of a
 * killed test run does too. It exits as soon as the process does. (The shell gives a background command no standard
 * input, so the pipe is passed as descriptor 3.)
 */
export const LEASH = 'exec 3<&0; "$@" 3<&- & child=$!; { cat <&3; kill -9 $child; } & echo $child; wait $child';
