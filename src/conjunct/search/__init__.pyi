from conjunct.search.optimal_trees import TreeLemmas as TreeLemmas
from conjunct.search.optimal_trees import TreeSearch as TreeSearch
from conjunct.search.optimal_trees import search_tree as search_tree
from conjunct.search.tree_frontiers import FrontierSearch as FrontierSearch
from conjunct.search.tree_frontiers import search_frontier as search_frontier
from conjunct.search.tree_problem import TreeProblem as TreeProblem
