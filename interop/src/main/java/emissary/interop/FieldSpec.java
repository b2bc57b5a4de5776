package emissary.interop;

import com.refinitiv.ema.access.Data;
import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldEntry;
import com.refinitiv.ema.access.OmmDate;
import com.refinitiv.ema.access.OmmReal;
import com.refinitiv.ema.access.OmmTime;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * One {@code <fieldEntry>} of a message file: what a field must hold when received, and how to build it for sending.
 * Values are kept in the form in which the two sides must agree (a number for Real, six parts for Time), never as text.
 */
final class FieldSpec {
    private static final Map<String, Integer> TYPES = Map.ofEntries(
            Map.entry("INT", DataTypes.INT), Map.entry("UINT", DataTypes.UINT), Map.entry("FLOAT", DataTypes.FLOAT),
            Map.entry("DOUBLE", DataTypes.DOUBLE), Map.entry("REAL", DataTypes.REAL), Map.entry("DATE", DataTypes.DATE),
            Map.entry("TIME", DataTypes.TIME), Map.entry("DATETIME", DataTypes.DATETIME), Map.entry("ENUM", DataTypes.ENUM),
            Map.entry("BUFFER", DataTypes.BUFFER), Map.entry("ASCII_STRING", DataTypes.ASCII),
            Map.entry("UTF8_STRING", DataTypes.UTF8), Map.entry("RMTES_STRING", DataTypes.RMTES));
    private static final List<String> MONTHS =
            List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");

    final int fieldId;
    final int dataType;
    private final boolean blank;
    private final BigDecimal number; // Int, UInt, Enum, Float, Double, Real
    private final int realMagnitude; // Real: how the value is sent; any equal value is accepted when received
    private final long realMantissa;
    private final int[] date; // year, month, day
    private final int[] time; // hour .. nanosecond
    private final String text;

    FieldSpec(int fieldId, String typeName, String data) {
        this.fieldId = fieldId;
        Integer type = typeName.startsWith("RSSL_DT_") ? TYPES.get(typeName.substring(8)) : null;
        if (type == null) {
            throw new Fail("field " + fieldId + ": data type '" + typeName + "' is not handled here");
        }
        dataType = type;
        String trimmed = data.trim();
        boolean isText = type == DataTypes.BUFFER || type == DataTypes.ASCII || type == DataTypes.UTF8 || type == DataTypes.RMTES;
        blank = isText ? data.isEmpty() : trimmed.isEmpty();
        BigDecimal parsed = null;
        long mantissa = 0;
        int magnitude = OmmReal.MagnitudeType.EXPONENT_0;
        int[] datePart = null;
        int[] timePart = null;
        try {
            if (!blank && !isText) {
                if (type == DataTypes.DATE) {
                    datePart = parseDate(trimmed);
                } else if (type == DataTypes.TIME) {
                    timePart = parseTime(trimmed);
                } else if (type == DataTypes.DATETIME) {
                    int cut = Math.max(trimmed.lastIndexOf(' '), trimmed.lastIndexOf('T'));
                    datePart = parseDate(trimmed.substring(0, cut).trim());
                    timePart = parseTime(trimmed.substring(cut + 1));
                } else if (type == DataTypes.REAL && trimmed.contains("/")) {
                    String[] parts = trimmed.split("[ /]+"); // "5 3/8" or "3/8"
                    int divisor = Integer.parseInt(parts[parts.length - 1]);
                    long whole = parts.length == 3 ? Long.parseLong(parts[0]) : 0;
                    mantissa = whole * divisor + Long.parseLong(parts[parts.length - 2]);
                    magnitude = OmmReal.MagnitudeType.DIVISOR_1 + Integer.numberOfTrailingZeros(divisor);
                    parsed = BigDecimal.valueOf(mantissa).divide(BigDecimal.valueOf(divisor), 30, RoundingMode.UNNECESSARY);
                } else {
                    parsed = new BigDecimal(trimmed);
                    if (type == DataTypes.REAL) {
                        mantissa = parsed.unscaledValue().longValueExact();
                        magnitude = OmmReal.MagnitudeType.EXPONENT_0 - parsed.scale();
                    }
                }
            }
        } catch (ArithmeticException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new Fail("field " + fieldId + ": '" + data + "' is not a value of type " + typeName);
        }
        number = parsed;
        realMantissa = mantissa;
        realMagnitude = magnitude;
        date = datePart;
        time = timePart;
        text = data;
    }

    /** MM/DD/YYYY, DD MON YYYY or YYYY-MM-DD. */
    private static int[] parseDate(String s) {
        if (s.contains("/")) {
            int[] p = ints(s.split("/"), 3);
            return new int[] {p[2], p[0], p[1]};
        }
        if (s.contains("-")) {
            return ints(s.split("-"), 3);
        }
        String[] p = s.split(" +");
        int month = MONTHS.indexOf(p[1].toUpperCase()) + 1;
        if (month == 0) {
            throw new IllegalArgumentException(s);
        }
        return new int[] {Integer.parseInt(p[2]), month, Integer.parseInt(p[0])};
    }

    /** HH:MM[:SS[:mmm[:uuu[:nnn]]]]; parts left out are zero. */
    private static int[] parseTime(String s) {
        return Arrays.copyOf(ints(s.split(":"), -1), 6);
    }

    private static int[] ints(String[] parts, int count) {
        if (count >= 0 && parts.length != count) {
            throw new IllegalArgumentException();
        }
        return Arrays.stream(parts).mapToInt(p -> Integer.parseInt(p.trim())).toArray();
    }

    /** Null when the received entry holds exactly this field and value, else the difference in words. */
    String mismatch(FieldEntry entry) {
        if (entry.fieldId() != fieldId) {
            return "field " + entry.fieldId() + " where field " + fieldId + " is due";
        }
        int type = entry.loadType();
        if (type != dataType) {
            return "field " + fieldId + " has type " + type + " (" + entry + "), type " + dataType + " is due";
        }
        boolean isBlank = entry.code() == Data.DataCode.BLANK;
        if (blank != isBlank) {
            // An empty string and a blank string are the same bytes on the wire.
            boolean emptyText = blank && number == null && date == null && time == null && receivedText(entry).isEmpty();
            return emptyText ? null : "field " + fieldId + " is " + entry + ", due is " + this;
        }
        return blank || sameValue(entry) ? null : "field " + fieldId + " is " + entry + ", due is " + this;
    }

    private boolean sameValue(FieldEntry entry) {
        switch (dataType) {
            case DataTypes.INT:
                return BigDecimal.valueOf(entry.intValue()).compareTo(number) == 0;
            case DataTypes.UINT:
                return new BigDecimal(entry.ommUIntValue().bigIntegerValue()).compareTo(number) == 0;
            case DataTypes.ENUM:
                return BigDecimal.valueOf(entry.enumValue()).compareTo(number) == 0;
            case DataTypes.FLOAT:
                return entry.floatValue() == number.floatValue();
            case DataTypes.DOUBLE:
                return entry.doubleValue() == number.doubleValue();
            case DataTypes.REAL:
                return entry.real().magnitudeType() < OmmReal.MagnitudeType.INFINITY
                        && entry.real().asBigDecimal().compareTo(number) == 0;
            case DataTypes.DATE: {
                OmmDate d = entry.date();
                return d.year() == date[0] && d.month() == date[1] && d.day() == date[2];
            }
            case DataTypes.TIME: {
                OmmTime t = entry.time();
                return Arrays.equals(time, new int[] {
                    t.hour(), t.minute(), t.second(), t.millisecond(), t.microsecond(), t.nanosecond()});
            }
            case DataTypes.DATETIME: {
                var t = entry.dateTime();
                return t.year() == date[0] && t.month() == date[1] && t.day() == date[2]
                        && Arrays.equals(time, new int[] {
                            t.hour(), t.minute(), t.second(), t.millisecond(), t.microsecond(), t.nanosecond()});
            }
            default:
                return receivedText(entry).equals(text);
        }
    }

    private String receivedText(FieldEntry entry) {
        switch (dataType) {
            case DataTypes.ASCII:
                return entry.ascii().ascii();
            case DataTypes.RMTES:
                return entry.rmtes().rmtes().toString();
            case DataTypes.UTF8:
                return StandardCharsets.UTF_8.decode(entry.utf8().buffer().duplicate()).toString();
            case DataTypes.BUFFER:
                return StandardCharsets.ISO_8859_1.decode(entry.buffer().buffer().duplicate()).toString();
            default:
                return entry.toString();
        }
    }

    /** A new entry holding this value. */
    FieldEntry encode() {
        FieldEntry e = EmaFactory.createFieldEntry();
        switch (dataType) {
            case DataTypes.INT:
                return blank ? e.codeInt(fieldId) : e.intValue(fieldId, number.longValueExact());
            case DataTypes.UINT: {
                BigInteger value = blank ? null : number.toBigIntegerExact();
                return blank ? e.codeUInt(fieldId) : e.uintValue(fieldId, value);
            }
            case DataTypes.ENUM:
                return blank ? e.codeEnum(fieldId) : e.enumValue(fieldId, number.intValueExact());
            case DataTypes.FLOAT:
                return blank ? e.codeFloat(fieldId) : e.floatValue(fieldId, number.floatValue());
            case DataTypes.DOUBLE:
                return blank ? e.codeDouble(fieldId) : e.doubleValue(fieldId, number.doubleValue());
            case DataTypes.REAL:
                return blank ? e.codeReal(fieldId) : e.real(fieldId, realMantissa, realMagnitude);
            case DataTypes.DATE:
                return blank ? e.codeDate(fieldId) : e.date(fieldId, date[0], date[1], date[2]);
            case DataTypes.TIME:
                return blank ? e.codeTime(fieldId)
                        : e.time(fieldId, time[0], time[1], time[2], time[3], time[4], time[5]);
            case DataTypes.DATETIME:
                return blank ? e.codeDateTime(fieldId)
                        : e.dateTime(fieldId, date[0], date[1], date[2], time[0], time[1], time[2], time[3], time[4], time[5]);
            case DataTypes.ASCII:
                return blank ? e.codeAscii(fieldId) : e.ascii(fieldId, text);
            case DataTypes.UTF8:
                return blank ? e.codeUtf8(fieldId) : e.utf8(fieldId, text);
            case DataTypes.BUFFER:
                return blank ? e.codeBuffer(fieldId) : e.buffer(fieldId, ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
            default:
                return blank ? e.codeRmtes(fieldId) : e.rmtes(fieldId, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Override
    public String toString() {
        return blank ? "blank" : "'" + text + "'";
    }
}
