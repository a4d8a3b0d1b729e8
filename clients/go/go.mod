module doorward

go 1.25
