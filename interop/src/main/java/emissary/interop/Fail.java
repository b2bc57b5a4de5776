package emissary.interop;

/** A test that did not hold, or an argument that makes no sense: its text is the reason shown to the user. */
final class Fail extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Fail(String reason) {
        super(reason);
    }

    /** What went wrong, without line breaks. The library's own exceptions need their type to be understood. */
    static String oneLine(RuntimeException e) {
        String text = e instanceof Fail ? e.getMessage() : e.toString();
        return text.strip().replaceAll("\\s*\\n\\s*", " ").replace(" ,", ",");
    }
}
