from conjunct.cli.command import main as main
