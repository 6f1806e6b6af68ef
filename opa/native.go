//go:build !wasip1

// One request from standard input: for trying things without the host.

package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	input, err := io.ReadAll(os.Stdin)
	if err == nil {
		_, err = os.Stdout.Write(handle(input))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
