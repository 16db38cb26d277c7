from conjunct.tables.delimited import read_table as read_table
from conjunct.tables.parquet import read_parquet as read_parquet
from conjunct.tables.raw_table import RawTable as RawTable
from conjunct.tables.svmlight import read_svmlight as read_svmlight
from conjunct.tables.table import IdTable as IdTable
from conjunct.tables.table import Table as Table
from conjunct.tables.variable_tests import ColumnTests as ColumnTests
from conjunct.tables.variable_tests import VariableTest as VariableTest
