package emissary.interop;

/** A test that did not hold, or an argument that makes no sense: its text is the reason shown to the user. */
final class Fail extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Fail(String reason) {
        super(reason);
    }
}
