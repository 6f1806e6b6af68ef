# Second half of client.sh: asks the server of Modes over its socket, else starts the one-shot process, else refuses. If the
# system has a perl, client.sh starts this script instead of curl, because perl starts much faster. The output is the same. One
# difference: the event is kept in memory, so the one-shot process still has it if the server fails after it received the event.
# usage: client.pl EVENT ROOT NODE SECONDS BUILD CWD PID LIMIT CPU     (hook event on stdin; started in the folder of the socket)
# It loads no module: modules take longer than all of this, and code from @INC must not run here. It starts no shell and runs no
# input as code. It does not use -T: a perl that was built without taint support would not start,
# and client.sh has cleaned the environment.
use v5.12;

my ($event, $root, $node, $seconds, $build, $cwd, $pid, $limit, $cpu) = @ARGV;
my $largest = 33_554_432;    # bytes of an event; one byte more is kept, by which server and one-shot process know it
my $longest = 1_048_576;     # bytes of an answer with its headers, far above what the server sends
my $isCall = $event eq 'PreToolUse';
my $input = '';

# Writing to a server that has ended must not end this process.
$SIG{PIPE} = 'IGNORE';
binmode $_ for *STDIN, *STDOUT;
eval { main(); 1 } or refuse("E_HOOK_CHECK the check failed: $@");

sub main {
    my $answer = ask();
    $answer = one_shot() unless defined $answer && is_whole($answer);
    print "$answer\n" and close STDOUT or die "nobody reads the answer\n";
}

# Blocks a call with a reason. For other events it prints nothing: missing context is acceptable.
sub refuse {
    exit 0 unless $isCall;
    print STDERR "Modes: $_[0]\n";
    exit 2;
}

# Denies the call because a limit was reached. The client shows a decision on stdout unchanged; before stderr it would print the
# command line of the hook.
sub late {
    exit 0 unless $isCall;
    my $reason = "Modes did not decide this call within its limits ($limit seconds, $cpu of processor time), so the call is denied:"
        . ' run modes doctor in a terminal to find the cause, or make the call smaller (E_HOOK_CHECK).';
    my $answer = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"' . $reason . '"}}';
    print "$answer\n" and close STDOUT or refuse('E_HOOK_CHECK nobody reads the answer. Run "modes validate" in a terminal.');
    exit 0;
}

# The server's answer, not yet checked; undef for anything but one complete answer with status 200.
sub ask {
    my ($server, $isLate);
    # AF_UNIX and SOCK_STREAM are 1 on Linux, macOS and the BSDs, which have two formats of the address. Other systems do not
    # connect. The name is relative, because a long path is truncated.
    my $name = "mode.sock\0";
    my $address = $^O eq 'linux' ? pack('S a*', 1, $name) : pack('C C a*', 2 + length $name, 1, $name);
    # One time limit for everything. It closes the connection, so that no read or write continues to wait. The second limit is for
    # an event that does not end.
    local $SIG{ALRM} = sub {
        late() if $isLate;
        $isLate = 1;
        alarm $limit;
        shutdown $server, 2 if $server;
    };
    alarm $seconds;
    # The check comes directly before the connection.
    my $isConnected = is_alive() && socket($server, 1, 1, 0) && connect $server, $address;
    take() if $isCall;
    my $request = request();
    my $got = '';
    if ($isConnected && defined $request) {
        # A server may refuse before it has read everything, so its answer is read even if this write fails.
        put($server, $request);
        while (length $got <= $longest) {
            sysread $server, $got, 65_536, length $got or last;
        }
    }
    alarm 0;
    return $isLate ? undef : body($got);
}

# True if the server's process runs. client.sh has only checked that it exists: a stopped process does not answer its private
# pipe, so it counts as ended.
sub is_alive {
    my $state;
    open $state, '<', "/proc/$pid/stat" or open $state, '-|', '/bin/ps', '-o', 'state=', '-p', $pid or return 0;
    return (<$state> // '') =~ /\A(?:.*\) )?[RSDI]/s;
}

# Reads the complete event, even if it is too large: its writer may not handle a closed pipe.
sub take {
    my $waiting = '';
    vec($waiting, fileno STDIN, 1) = 1;
    while (1) {
        # Stdin may be a nonblocking socket.
        select my $ready = $waiting, undef, undef, undef;
        my $count = sysread STDIN, my $part, 1_048_576;
        if (!defined $count) {
            next if $! == 4;    # EINTR: the limit of the socket is reached, which does not concern the event
            die "the event cannot be read: $!\n";
        }
        last if $count == 0;
        $input .= substr $part, 0, $largest + 1 - length $input;
    }
}

# The HTTP request; undef if a value could end its header and start another one.
sub request {
    my $sender = $ENV{CLAUDE_CODE_ENTRYPOINT} // '';
    return undef if "$build$sender" =~ /[^\x21-\x7e]/;
    my $headers = "Host: modes\r\nConnection: close\r\nX-Modes-Build: $build\r\n";
    $headers .= "X-Modes-Entrypoint: $sender\r\n" if $sender ne '';
    if ($isCall) {
        my $length = length $input;
        return "POST /check-tool HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: $length\r\n\r\n$input";
    }
    my @words = ($event, $ENV{CLAUDE_CODE_SESSION_ID} // '', $cwd);
    s/([^A-Za-z0-9_.~-])/sprintf '%%%02X', ord $1/eg for @words;
    return "GET /context?event=$words[0]&session=$words[1]&cwd=$words[2] HTTP/1.1\r\n$headers\r\n";
}

# The body after one block of headers, if it has exactly the stated length; undef for anything else.
sub body {
    return undef if length $_[0] > $longest;
    my ($head, $body) = split /\r\n\r\n/, $_[0], 2;
    return undef unless defined $body && $head =~ m{\AHTTP/1\.1 200 };
    return undef if $head =~ /^transfer-encoding:/im;
    my @lengths = $head =~ /^content-length:(.*)$/gim;
    return undef unless @lengths == 1 && $lengths[0] =~ /\A[ \t]*([0-9]{1,9})[ \t]*\r?\z/ && $1 == length $body;
    return $body;
}

# True if an answer is complete: `{}`, or one object in the server's format. Its text must contain no bare quote, no control
# character and no escape except \uXXXX.
sub is_whole {
    return 1 if $_[0] eq '{}';
    my $kind = $isCall
        ? qr/"PreToolUse","permissionDecision":"(?:deny|ask|allow)","permissionDecisionReason"/
        : qr/"\Q$event\E","additionalContext"/;
    my ($text) = $_[0] =~ /\A\{"hookSpecificOutput":\{"hookEventName":$kind:"(.*)"\}\}\z/s or return 0;
    return $text !~ /["\x00-\x1f\x7f]|\\(?!u[0-9a-f]{4})/;
}

# The one-shot process makes the same decision from the same files. If its answer is not complete, the call is refused.
sub one_shot {
    if ($isCall) {
        # A separate process writes the event: with one process, writer and reader could wait for each other.
        pipe my $from, my $to or die "no pipe: $!\n";
        my $writer = fork // die "no process: $!\n";
        if ($writer == 0) {
            close $from;
            put($to, $input);
            exit 0;
        }
        close $to;
        open STDIN, '<&', $from or die "no stdin: $!\n";
    }
    $SIG{PIPE} = 'DEFAULT';
    # A Node with too little memory may wait forever.
    my $child;
    local $SIG{ALRM} = sub {
        kill 'KILL', $child if $child;
        late();
    };
    # The client stops this hook soon after both limits together. If the event took long to arrive, less time is left for the check.
    my $left = $^T + $seconds + $limit - time;
    alarm($left < 1 ? 1 : $left < $limit ? $left : $limit);
    # A list of words: no shell.
    my $isStarted = $child = open my $out, '-|', $node, "$ENV{MODES_PLUGIN_ROOT}/dist/hook.cjs", $event, $root;
    my $said = $isStarted ? do { local $/; <$out> } // '' : '';
    close $out if $isStarted;
    alarm 0;
    my $code = !$isStarted ? 126 : $? & 127 ? 128 + ($? & 127) : $? >> 8;
    # SIGXCPU: the limit of processor time.
    late() if $code == 152;
    refuse("E_HOOK_CHECK the check did not finish (exit $code). Run \"modes validate\" in a terminal.") if $code != 0;
    $said =~ s/\n+\z//;
    refuse('E_HOOK_CHECK the answer of the check is incomplete. Run "modes validate" in a terminal.') unless is_whole($said);
    return $said;
}

# False if the reader is gone, or the limit was reached.
sub put {
    my $at = 0;
    while ($at < length $_[1]) {
        $at += syswrite($_[0], $_[1], 1_048_576, $at) // return 0;
    }
    return 1;
}
