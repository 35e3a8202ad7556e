module github.com/git-ltm/git-ltm/packaging

go 1.26.0
