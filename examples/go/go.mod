module example

go 1.25

require doorward v0.4.0

replace doorward => ../../clients/go
