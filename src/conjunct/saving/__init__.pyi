from conjunct.saving.saved_model import SavedModel as SavedModel
from conjunct.saving.saved_model import load_model as load_model
from conjunct.saving.table_model import TableModel as TableModel
