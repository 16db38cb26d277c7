from conjunct.certificates.bound_certificate import BoundCertificate as BoundCertificate
from conjunct.certificates.certify import certify_tree as certify_tree
from conjunct.certificates.certify_dnf import certify_dnf as certify_dnf
from conjunct.certificates.certify_frontier import tree_frontier as tree_frontier
from conjunct.certificates.checking import check as check
from conjunct.certificates.formula_certificate import FormulaCertificate as FormulaCertificate
from conjunct.certificates.frontiers import TreeFrontier as TreeFrontier
from conjunct.certificates.tree_certificate import TreeCertificate as TreeCertificate
