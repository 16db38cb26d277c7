from conjunct.reports.rule_figures import draw_rules as draw_rules
