from conjunct.files.atomic import write_atomically as write_atomically
from conjunct.files.compressed import InputStream as InputStream
from conjunct.files.model_file import ModelFile as ModelFile
from conjunct.files.model_file import model_bytes as model_bytes
from conjunct.files.model_file import pack_model as pack_model
from conjunct.files.model_file import read_model as read_model
from conjunct.files.model_file import unpack_model as unpack_model
from conjunct.files.model_file import write_model as write_model
