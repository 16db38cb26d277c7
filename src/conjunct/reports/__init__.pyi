from conjunct.reports.frontier_figures import draw_frontier as draw_frontier
from conjunct.reports.rule_figures import draw_rules as draw_rules
