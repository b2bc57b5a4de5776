package emissary.interop;

import com.refinitiv.ema.access.Data;
import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldEntry;
import com.refinitiv.ema.access.FieldList;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** The MarketPrice templates of a message file: one refresh and any number of updates, posts and generic messages. */
final class MessageData {
    /** Fields that carry send times (microseconds of the monotonic clock) and appear in no template. */
    static final int UPDATE_TIME = 3902;
    static final int POST_TIME = 3903;
    static final int GENERIC_TIME = 3904;

    /** The fields of one message, in the order of the file. */
    static final class Template {
        final List<FieldSpec> fields = new ArrayList<>();
        long seen;

        /** The send time found in a matching message, or -1. Set by the last mismatch(). */
        long sendTime = -1;
        int timeFields;
        private int matched;

        /** Null when the list holds these fields, in this order and nothing else but send times. */
        String mismatch(FieldList received) {
            sendTime = -1;
            timeFields = 0;
            matched = 0;
            for (FieldEntry entry : received) {
                int id = entry.fieldId();
                if (id >= UPDATE_TIME && id <= GENERIC_TIME) {
                    timeFields++;
                    if (entry.loadType() != DataTypes.UINT) {
                        return "field " + id + " is not a UInt: " + entry;
                    }
                    if (entry.code() != Data.DataCode.BLANK) {
                        sendTime = entry.uintValue();
                    }
                    continue;
                }
                if (matched == fields.size()) {
                    return "field " + id + " comes after the template's last field";
                }
                String difference = fields.get(matched).mismatch(entry);
                if (difference != null) {
                    return difference;
                }
                matched++;
            }
            return matched == fields.size() ? null
                    : "only " + matched + " of " + fields.size() + " fields, missing field " + fields.get(matched).fieldId;
        }

        /**
         * A new payload.
         *
         * @param timeField id of a send-time field to append, or 0
         * @param time its value in microseconds; blank if negative
         */
        FieldList encode(int timeField, long time) {
            FieldList list = EmaFactory.createFieldList();
            for (FieldSpec field : fields) {
                list.add(field.encode());
            }
            if (timeField != 0) {
                list.add(timeEntry(timeField, time));
            }
            return list;
        }

        /** A new refresh payload: the fields and all three send times blank, so that caches know them. */
        FieldList encodeImage() {
            FieldList list = encode(0, 0);
            for (int id = UPDATE_TIME; id <= GENERIC_TIME; id++) {
                list.add(timeEntry(id, -1));
            }
            return list;
        }

        private static FieldEntry timeEntry(int id, long time) {
            FieldEntry entry = EmaFactory.createFieldEntry();
            return time < 0 ? entry.codeUInt(id) : entry.uintValue(id, time);
        }
    }

    Template refresh;
    final List<Template> updates = new ArrayList<>();
    final List<Template> posts = new ArrayList<>();
    final List<Template> generics = new ArrayList<>();

    static MessageData load(String file) {
        MessageData data = new MessageData();
        try {
            Element root = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File(file)).getDocumentElement();
            for (Element message : children(child(root, "marketPriceMsgList"))) {
                switch (message.getTagName()) {
                    case "refreshMsg":
                        data.refresh = template(message);
                        break;
                    case "updateMsg":
                        data.updates.add(template(message));
                        break;
                    case "postMsg":
                        data.posts.add(template(child(message, "updateMsg")));
                        break;
                    case "genMsg":
                        data.generics.add(template(message));
                        break;
                    default:
                        throw new Fail("unknown element " + message.getTagName());
                }
            }
        } catch (Fail e) {
            throw new Fail(file + ": " + e.getMessage());
        } catch (Exception e) {
            throw new Fail(file + " cannot be read: " + e);
        }
        if (data.refresh == null || data.updates.isEmpty()) {
            throw new Fail(file + ": a refreshMsg and an updateMsg are needed");
        }
        return data;
    }

    /** Null when the list is one of the templates, which is then counted as seen; else the nearest difference. */
    static String mismatch(List<Template> templates, FieldList received, Template[] found) {
        String nearest = "no template";
        int best = -1;
        for (Template template : templates) {
            String difference = template.mismatch(received);
            if (difference == null) {
                template.seen++;
                found[0] = template;
                return null;
            }
            if (template.matched > best) {
                best = template.matched;
                nearest = difference;
            }
        }
        return nearest;
    }

    /** Null when each field has a value that one of the templates gives it: updates that were joined on their way. */
    static String mismatchOfJoined(List<Template> templates, FieldList received) {
        for (FieldEntry entry : received) {
            int id = entry.fieldId();
            if (id >= UPDATE_TIME && id <= GENERIC_TIME) {
                continue;
            }
            String nearest = "no template has field " + id;
            boolean same = false;
            for (Template template : templates) {
                for (FieldSpec field : template.fields) {
                    if (field.fieldId == id && !same) {
                        String difference = field.mismatch(entry);
                        same = difference == null;
                        nearest = difference;
                    }
                }
            }
            if (!same) {
                return nearest;
            }
        }
        return null;
    }

    private static Template template(Element message) {
        Template result = new Template();
        for (Element field : children(child(child(message, "dataBody"), "fieldList"))) {
            result.fields.add(new FieldSpec(
                    Integer.parseInt(field.getAttribute("fieldId")), field.getAttribute("dataType"), field.getAttribute("data")));
        }
        return result;
    }

    private static List<Element> children(Element parent) {
        List<Element> result = new ArrayList<>();
        for (Node n = parent.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n instanceof Element) {
                result.add((Element) n);
            }
        }
        return result;
    }

    private static Element child(Element parent, String name) {
        for (Element e : children(parent)) {
            if (e.getTagName().equals(name)) {
                return e;
            }
        }
        throw new Fail(parent.getTagName() + " has no " + name);
    }
}
