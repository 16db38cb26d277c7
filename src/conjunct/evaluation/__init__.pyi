from conjunct.evaluation.cross_validation import Fold as Fold
from conjunct.evaluation.cross_validation import cross_validate as cross_validate
from conjunct.evaluation.figures_of_merit import figures as figures
from conjunct.evaluation.figures_of_merit import interval as interval
from conjunct.evaluation.progress import progress_bar as progress_bar
