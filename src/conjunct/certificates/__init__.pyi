from conjunct.certificates.checker import CheckError as CheckError
from conjunct.certificates.checker import Verdict as Verdict
