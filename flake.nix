{
  description = "Long-term memory for coding agents, in your git repository";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      # A flake sees no tag, so its version is the commit.
      version = "0-unstable-${builtins.substring 0 8 self.lastModifiedDate}-${self.shortRev or "dirty"}";
      package = pkgs: pkgs.buildGo126Module {
        pname = "git-ltm";
        inherit version;
        src = self;
        # 'make packaging' says what it has to be when a module changes.
        vendorHash = "sha256-Rsf9I8TsUpLBAeC4Yi8QgH8oJphMYu9wk+4BqAhpCJ4=";
        subPackages = [ "cmd/git-ltm" "cmd/git-ltm-hook" ];
        tags = [ "nethttpomithttp2" ];
        env.CGO_ENABLED = 0;
        ldflags = [ "-s" "-w" "-X github.com/git-ltm/git-ltm/internal/version.linked=${version}" ];
        # The tests want strace, sshd and a second git: CI runs them.
        doCheck = false;
        nativeBuildInputs = [ pkgs.installShellFiles ];
        postInstall = ''
          installManPage docs/man/*.1
          for shell in bash zsh fish; do
            $out/bin/git-ltm completion $shell >git-ltm.$shell
          done
          installShellCompletion git-ltm.{bash,zsh,fish}
        '';
        meta = {
          description = "Long-term memory for coding agents, in your git repository";
          license = pkgs.lib.licenses.asl20;
          mainProgram = "git-ltm";
        };
      };
    in {
      packages = nixpkgs.lib.genAttrs systems (system: {
        default = package nixpkgs.legacyPackages.${system};
      });
    };
}
