// Command pimento-net is the part of Pimento that uses the network: it asks
// embedding endpoints and downloads models, when pimento starts it to do so.
// It is a program of its own so that pimento, which is started on every prompt,
// need not carry net/http. It has no commands; see internal/courier.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/pimento-memory/pimento/internal/network"
)

func main() {
	signal.Ignore(os.Interrupt) // pimento gets it too, and ends us when it is done
	if err := network.New().Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pimento-net:", err)
		os.Exit(1)
	}
}
