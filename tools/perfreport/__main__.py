"""perfreport: the files of performance tool runs as one HTML page. `python3 tools/perfreport --help`"""
import sys

from cli import main

sys.exit(main())
