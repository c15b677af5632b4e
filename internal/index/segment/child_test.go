package segment

func child() bool { return false }
