from conjunct.certificates.certify import certify_tree as certify_tree
from conjunct.certificates.checking import check as check
from conjunct.certificates.tree_certificate import TreeCertificate as TreeCertificate
