package emissary.interop;

import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.rdm.DataDictionary;
import com.refinitiv.ema.rdm.DictionaryEntry;
import com.refinitiv.ema.rdm.EmaRdm;
import com.refinitiv.ema.rdm.EnumType;
import com.refinitiv.ema.rdm.EnumTypeTable;
import java.util.List;

/** Collects both dictionaries from the wire, part by part, and compares every definition with the files they came from. */
final class DictionaryCheck {
    static final String FIELDS = "RWFFld";
    static final String ENUMS = "RWFEnum";

    private final DataDictionary received = EmaFactory.createDataDictionary();
    private boolean fieldsComplete;
    private boolean enumsComplete;
    private int parts;

    void onRefresh(RefreshMsg msg) {
        parts++;
        if (msg.name().equals(FIELDS)) {
            received.decodeFieldDictionary(msg.payload().series(), EmaRdm.DICTIONARY_NORMAL);
            fieldsComplete |= msg.complete();
        } else {
            received.decodeEnumTypeDictionary(msg.payload().series(), EmaRdm.DICTIONARY_NORMAL);
            enumsComplete |= msg.complete();
        }
    }

    boolean complete() {
        return fieldsComplete && enumsComplete;
    }

    /**
     * @param folder holds RDMFieldDictionary and enumtype.def
     * @param viaJson the dictionary came as JSON, which turns RMTES into UTF-8: only displays in ASCII are compared then
     * @return the counts compared, for the result line
     */
    String compareWith(String folder, boolean viaJson) {
        DataDictionary file = EmaFactory.createDataDictionary();
        try {
            file.loadFieldDictionary(folder + "/RDMFieldDictionary");
            file.loadEnumTypeDictionary(folder + "/enumtype.def");
        } catch (RuntimeException e) {
            throw new Fail("dictionary files in " + folder + ": " + e.getMessage());
        }
        int fields = 0;
        for (DictionaryEntry due : file.entries()) {
            if (!received.hasEntry(due.fid())) {
                throw new Fail("dictionary: field " + due.fid() + " (" + due.acronym() + ") was not downloaded");
            }
            DictionaryEntry got = received.entry(due.fid());
            if (!describe(got).equals(describe(due))) {
                throw new Fail("dictionary: field " + due.fid() + " is {" + describe(got) + "}, due is {" + describe(due) + "}");
            }
            fields++;
        }
        if (received.entries().size() != fields) {
            throw new Fail("dictionary: " + received.entries().size() + " fields downloaded, " + fields + " are due");
        }
        int values = 0;
        for (EnumTypeTable table : file.enumTables()) {
            for (int fid : table.FidReferences()) {
                List<EnumType> types = table.enumTypes();
                for (EnumType due : types) {
                    if (due == null) {
                        continue;
                    }
                    if (!received.hasEnumType(fid, due.value())) {
                        // Fields that only the enumeration file knows have no definition to hang a table on.
                        if (!file.hasEntry(fid)) {
                            continue;
                        }
                        throw new Fail("dictionary: enum " + due.value() + " of field " + fid + " was not downloaded");
                    }
                    String display = received.enumType(fid, due.value()).display();
                    boolean comparable = !viaJson || due.display().chars().allMatch(c -> c < 128);
                    if (comparable && !display.equals(due.display())) {
                        throw new Fail("dictionary: enum " + due.value() + " of field " + fid + " displays '" + display
                                + "', due is '" + due.display() + "'");
                    }
                    values++;
                }
            }
        }
        if (!received.fieldVersion().equals(file.fieldVersion())) {
            throw new Fail("dictionary: version " + received.fieldVersion() + ", due is " + file.fieldVersion());
        }
        return "dictionaryParts=" + parts + " dictionaryFields=" + fields + " dictionaryEnums=" + values;
    }

    private static String describe(DictionaryEntry e) {
        return e.acronym() + " '" + e.ddeAcronym() + "' ripple=" + e.rippleToField() + " type=" + e.fieldType() + " length="
                + e.length() + " enumLength=" + e.enumLength() + " rwfType=" + e.rwfType() + " rwfLength=" + e.rwfLength();
    }
}
