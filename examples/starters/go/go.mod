module example

go 1.25
