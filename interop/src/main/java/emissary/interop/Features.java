package emissary.interop;

import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.ElementEntry;
import com.refinitiv.ema.access.ElementList;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldEntry;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.OmmReal;
import com.refinitiv.ema.access.Payload;
import com.refinitiv.ema.rdm.EmaRdm;
import java.util.List;

/** What the two feature programs agree on; interop/cpp has the same in C++. */
final class Features {
    static final List<String> USAGE = List.of(
            "--host NAME         provider's host (localhost)",
            "--port N            port of the provider",
            "--msg-file FILE     not used",
            "--dict-dir DIR      folder of RDMFieldDictionary and enumtype.def",
            "--run-time N        not used",
            "--expect-restart    the provider is killed and comes back",
            "--count             a hub: only count images and updates");

    /** Orders of the large item: more than one fragment, whatever the transport. */
    static final int ORDERS = 3000;

    static final int BID = 22;

    private Features() {}

    /** Price of an item with that many updates behind it, as mantissa with two decimals. */
    static long priceAfter(int updates) {
        return 3990 + updates;
    }

    static FieldEntry real(int id, long mantissa) {
        return EmaFactory.createFieldEntry().real(id, mantissa, OmmReal.MagnitudeType.EXPONENT_NEG_2);
    }

    static FieldList bid(long mantissa) {
        FieldList list = EmaFactory.createFieldList();
        list.add(real(BID, mantissa));
        return list;
    }

    /** Field BID with two decimals as mantissa, or Long.MIN_VALUE. */
    static long bidOf(FieldList list) {
        for (FieldEntry entry : list) {
            if (entry.fieldId() == BID) {
                return Math.round(entry.real().asDouble() * 100);
            }
        }
        return Long.MIN_VALUE;
    }

    /** A question or an answer. */
    static GenericMsg say(String kind, String text, long sequence) {
        ElementList list = EmaFactory.createElementList();
        list.add(EmaFactory.createElementEntry().ascii(kind, text));
        return EmaFactory.createGenericMsg().domainType(EmaRdm.MMT_MARKET_PRICE).complete(true).seqNum(sequence).payload(list);
    }

    /** The text of the element of that name, or null. */
    static String said(Payload payload, String kind) {
        if (payload.dataType() == DataTypes.ELEMENT_LIST) {
            for (ElementEntry entry : payload.elementList()) {
                if (entry.name().equals(kind)) {
                    return entry.ascii().ascii();
                }
            }
        }
        return null;
    }
}
