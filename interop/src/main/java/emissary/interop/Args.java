package emissary.interop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Command line of the form {@code --name value} or {@code --flag}; unknown names and missing values are errors. */
final class Args {
    private final Map<String, String> values = new HashMap<>();
    private final Set<String> flags = new HashSet<>();

    /**
     * @param ownUsage one line an option, each starting with the option's name: {@code "--port N   text"}. An option whose
     *     second word is not all capitals takes no value. The options of the connection are known to every program.
     */
    Args(String[] args, List<String> ownUsage) {
        List<String> usage = new ArrayList<>(ownUsage);
        usage.addAll(Config.LINE_USAGE);
        Map<String, Boolean> takesValue = new HashMap<>();
        for (String line : usage) {
            String[] words = line.split("\\s+", 3);
            takesValue.put(words[0], words.length > 1 && words[1].equals(words[1].toUpperCase()));
        }
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            Boolean hasValue = takesValue.get(args[i]);
            if (hasValue == null) {
                problems.add("unknown option " + args[i]);
            } else if (!hasValue) {
                flags.add(args[i]);
            } else if (i + 1 == args.length) {
                problems.add("option " + args[i] + " needs a value");
            } else {
                values.put(args[i], args[++i]);
            }
        }
        if (!problems.isEmpty()) {
            throw new Fail(String.join("; ", problems) + "\noptions:\n  " + String.join("\n  ", usage));
        }
    }

    boolean has(String flag) {
        return flags.contains(flag);
    }

    /** The value given, or {@code fallback}, which may be null. */
    String text(String name, String fallback) {
        return values.getOrDefault(name, fallback);
    }

    String required(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new Fail("option " + name + " is required");
        }
        return value;
    }

    int number(String name, int fallback) {
        String value = values.get(name);
        if (value == null) {
            return fallback;
        }
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new Fail("option " + name + ": '" + value + "' is not a number");
        }
    }
}
