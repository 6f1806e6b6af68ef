//go:build wasip1

// The reactor's two exports. The host calls _initialize once, then alloc and call for every request.

package main

import (
	"runtime/debug"
	"unsafe"
)

// Collecting takes a quarter of a build where memory is kept small; the process lives a minute, so it need not be.
func init() {
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(768 << 20)
}

// requests keeps what alloc gave out alive until call takes it; lastAnswer keeps the answer alive until the host read it.
var (
	requests   = map[uint32][]byte{}
	lastAnswer []byte
)

// alloc gives the host size bytes to write a request to; 0 when there is nothing to write.
//
//go:wasmexport alloc
func alloc(size uint32) uint32 {
	if size == 0 {
		return 0
	}
	buffer := make([]byte, size)
	address := uint32(uintptr(unsafe.Pointer(unsafe.SliceData(buffer))))
	requests[address] = buffer
	return address
}

// call answers the request at address: the answer's address in the upper, its length in the lower 32 bits.
//
//go:wasmexport call
func call(address, size uint32) uint64 {
	buffer := requests[address]
	delete(requests, address)
	lastAnswer = handle(buffer[:min(int(size), len(buffer))])
	return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(lastAnswer))))<<32 | uint64(len(lastAnswer))
}

func main() {}
