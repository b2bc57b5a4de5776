#!/usr/bin/env python3
"""Writes etc/RDMFieldDictionary and etc/enumtype.def from the tables of facts beside this script.

    dev/make_dictionary.py [--out DIR]     write both files (into etc/ by default)
    dev/make_dictionary.py --check         fail when the files in etc/ are not what would be written, or when
                                             etc/MsgData.xml uses a field that they lack or give another type

To add a field, add its line to dictionary_fields.tsv (and its values to dictionary_enums.tsv when it is enumerated)
and run the script. Needs nothing but Python 3.
"""

import argparse
import pathlib
import sys
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ETC = HERE.parent / "etc"
VERSION = "1.0.0"
DATE = "01-Jan-2026"

FIELD_HEADER = f"""\
! Emissary field dictionary: the fields that the shipped sample data and the common market domains (market price,
! market by order, market by price, market maker, symbol list) use.
!
! Written by dev/make_dictionary.py from dev/dictionary_fields.tsv; change those, not this file. Field ids,
! acronyms, types and lengths are the public field numbering of the Refinitiv domain models (RDM), so that data from
! other systems reads right. The selection is this project's. Whoever has a full dictionary can put it in place of
! this file, together with its enumtype.def.
!
!tag Filename     RDMFieldDictionary
!tag Desc         Emissary field set
!tag Type         1
!tag Version      {VERSION}
!tag Build        1
!tag Date         {DATE}
!tag DictionaryId 1
!
!ACRONYM    DDE ACRONYM          FID  RIPPLES TO  FIELD TYPE     LENGTH  RWF TYPE      RWF LEN
!
"""

ENUM_HEADER = f"""\
! Emissary enumerated types: the values of the enumerated fields in RDMFieldDictionary.
!
! Written by dev/make_dictionary.py from dev/dictionary_enums.tsv; change those, not this file. Values and displays
! are those of the public domain models (RDM); large tables hold the values in common use. A value that is not here
! is delivered as its number. Whoever has a full file can put it in place of this one, together with its field
! dictionary.
!
!tag Filename     enumtype.def
!tag Desc         Emissary enumerated types
!tag Type         2
!tag RT_Version   {VERSION}
!tag DT_Version   {VERSION}
!tag Date         {DATE}
!tag DictionaryId 1
"""

# RWF type words of the field file by the type names of MsgData.xml (less RSSL_DT_ and the width of set forms).
MSGDATA_TYPES = {
    "INT": {"INT", "INT32", "INT64"}, "UINT": {"UINT", "UINT32", "UINT64"},
    "REAL": {"REAL", "REAL32", "REAL64"}, "FLOAT": {"FLOAT"}, "DOUBLE": {"DOUBLE"},
    "DATE": {"DATE"}, "TIME": {"TIME"}, "DATETIME": {"DATETIME", "DATE_TIME"}, "QOS": {"QOS"}, "STATE": {"STATE"},
    "ENUM": {"ENUM"}, "BUFFER": {"BUFFER"}, "ASCII_STRING": {"ASCII_STRING"}, "UTF8_STRING": {"UTF8_STRING"},
    "RMTES_STRING": {"RMTES_STRING"},
}


class Mistake(Exception):
    """A fault in the tables, with its place."""


def rows(path, columns):
    """Yields (place, cells) of a table; missing cells at the end of a line are empty."""
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), 1):
        if line and not line.startswith("#"):
            cells = line.split("\t")
            if len(cells) > columns:
                raise Mistake(f"{path.name}:{number}: {len(cells)} columns, expected at most {columns}")
            yield f"{path.name}:{number}", cells + [""] * (columns - len(cells))


def read_fields():
    fields, names = {}, {}
    for place, cells in rows(HERE / "dictionary_fields.tsv", 10):
        fid, acronym = int(cells[0]), cells[1]
        if fid in fields or acronym in names:
            raise Mistake(f"{place}: field {fid} {acronym} is there twice")
        if fields and fid < max(fields):
            raise Mistake(f"{place}: field {fid} is out of order")
        fields[fid], names[acronym] = cells, fid
    for cells in fields.values():
        if cells[3] and cells[3] not in names:
            raise Mistake(f"dictionary_fields.tsv: {cells[1]} ripples to {cells[3]}, which is not there")
    return fields


def read_enums():
    tables = {}
    for place, (table, value, display, meaning) in rows(HERE / "dictionary_enums.tsv", 4):
        values = tables.setdefault(table, {})
        if int(value) in values:
            raise Mistake(f"{place}: value {value} of {table} is there twice")
        if display[0] not in '"#' or display[-1] != display[0] or len(display) < 2:
            raise Mistake(f'{place}: display {display} is neither "text" nor #HEX#')
        values[int(value)] = (display, meaning)
    return tables


def field_file(fields):
    lines = [FIELD_HEADER]
    for fid, (_, acronym, dde, ripple, kind, length, enum_length, rwf, rwf_length, _table) in fields.items():
        size = f"{length} ( {enum_length} )" if enum_length else length
        dde = f'"{dde}"'
        lines.append(f"{acronym:<10} {dde:<20} {fid:>5}  {ripple or 'NULL':<10}  {kind:<12} {size:>9}  {rwf:<13} "
                     f"{rwf_length:>6}\n")
    return "".join(lines)


def enum_file(fields, tables):
    users = {}
    for fid, cells in fields.items():
        if cells[9]:
            users.setdefault(cells[9], []).append((fid, cells[1]))
        elif cells[7] == "ENUM":
            raise Mistake(f"dictionary_fields.tsv: {cells[1]} is enumerated but names no table")
    if set(users) != set(tables):
        raise Mistake(f"tables used and tables there differ: {sorted(set(users) ^ set(tables))}")
    lines = [ENUM_HEADER]
    for table, references in users.items():
        lines.append("!\n! ACRONYM    FID\n")
        lines += [f"{acronym:<12} {fid:>5}\n" for fid, acronym in references]
        lines.append("! VALUE      DISPLAY   MEANING\n")
        width = max(len(display) for display, _ in tables[table].values())
        for value, (display, meaning) in sorted(tables[table].items()):
            lines.append(f"{value:>7}   {display:>{width}}   {meaning}".rstrip() + "\n")
    return "".join(lines)


def check_msgdata(fields, path):
    """Every field of the message templates must be in the dictionary with the type it has there."""
    faults = set()
    for element in xml.etree.ElementTree.parse(path).iter():
        if element.tag not in ("fieldEntry", "fieldSetDefEntry"):
            continue
        fid, data_type = int(element.get("fieldId")), element.get("dataType")
        word = data_type.removeprefix("RSSL_DT_")
        base = word if word in MSGDATA_TYPES else word.rsplit("_", 1)[0]
        if fid not in fields:
            faults.add(f"{path.name}: field {fid} is not in dictionary_fields.tsv")
        elif fields[fid][7] not in MSGDATA_TYPES.get(base, ()):
            faults.add(f"{path.name}: field {fid} is {data_type} but {fields[fid][7]} in dictionary_fields.tsv")
    return sorted(faults)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=ETC, help="folder to write to")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    try:
        fields = read_fields()
        files = {"RDMFieldDictionary": field_file(fields), "enumtype.def": enum_file(fields, read_enums())}
    except Mistake as mistake:
        return f"make_dictionary: {mistake}"
    if not options.check:
        for name, text in files.items():
            (options.out / name).write_text(text, encoding="ascii")
        return 0
    faults = [f"etc/{name} is not what dev/make_dictionary.py writes: run it" for name, text in files.items()
              if not (ETC / name).exists() or (ETC / name).read_text(encoding="ascii") != text]
    faults += check_msgdata(fields, ETC / "MsgData.xml")
    return "\n".join(faults) or 0


if __name__ == "__main__":
    sys.exit(main())
