log-in-title = Salut
no-such-name = x
