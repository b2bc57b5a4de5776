package emissary.interop;

import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.ElementEntry;
import com.refinitiv.ema.access.ElementList;
import com.refinitiv.ema.access.FilterEntry;
import com.refinitiv.ema.access.Map;
import com.refinitiv.ema.access.MapEntry;
import com.refinitiv.ema.access.OmmArrayEntry;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.rdm.EmaRdm;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads a directory refresh. */
final class DirectoryCheck {
    private DirectoryCheck() {}

    /** True when the tested service is up and accepting; its entry must then offer MarketPrice and both dictionaries. */
    static boolean isUsable(RefreshMsg msg) {
        Map services = msg.payload().map();
        for (MapEntry service : services) {
            if (service.loadType() != DataTypes.FILTER_LIST || service.key().uintValue() != Config.SERVICE_ID) {
                continue;
            }
            long up = 0;
            long accepting = 1;
            for (FilterEntry filter : service.filterList()) {
                if (filter.filterId() == EmaRdm.SERVICE_INFO_ID) {
                    checkInfo(filter.elementList());
                } else if (filter.filterId() == EmaRdm.SERVICE_STATE_ID) {
                    for (ElementEntry e : filter.elementList()) {
                        up = e.name().equals(EmaRdm.ENAME_SVC_STATE) ? e.uintValue() : up;
                        accepting = e.name().equals(EmaRdm.ENAME_ACCEPTING_REQS) ? e.uintValue() : accepting;
                    }
                }
            }
            return up == 1 && accepting == 1;
        }
        return false;
    }

    private static void checkInfo(ElementList info) {
        String name = "";
        Set<String> capabilities = new HashSet<>();
        Set<String> provided = new HashSet<>();
        Set<String> used = new HashSet<>();
        for (ElementEntry e : info) {
            switch (e.name()) {
                case EmaRdm.ENAME_NAME:
                    name = e.ascii().ascii();
                    break;
                case EmaRdm.ENAME_CAPABILITIES:
                    for (OmmArrayEntry entry : e.array()) {
                        capabilities.add(Long.toString(entry.uintValue()));
                    }
                    break;
                case EmaRdm.ENAME_DICTIONARYS_PROVIDED:
                    for (OmmArrayEntry entry : e.array()) {
                        provided.add(entry.ascii().ascii());
                    }
                    break;
                case EmaRdm.ENAME_DICTIONARYS_USED:
                    for (OmmArrayEntry entry : e.array()) {
                        used.add(entry.ascii().ascii());
                    }
                    break;
                default:
                    break;
            }
        }
        List<String> dictionaries = List.of(DictionaryCheck.FIELDS, DictionaryCheck.ENUMS);
        if (!name.equals(Config.SERVICE) || !capabilities.contains("5") || !capabilities.contains("6")
                || !provided.containsAll(dictionaries) || !used.containsAll(dictionaries)) {
            throw new Fail("directory: service 1 is '" + name + "' with capabilities " + capabilities + ", dictionaries provided "
                    + provided + " and used " + used);
        }
    }
}
