package emissary.interop;

import java.util.function.Supplier;

/** How every peer ends: a line that says what came of the test, and an exit code. */
final class Outcome {
    private Outcome() {
    }

    static void of(Supplier<String> test) {
        int exitCode = 0;
        try {
            System.out.println("RESULT ok " + test.get());
        } catch (RuntimeException e) {
            // The library's own exceptions are not all public: any of them means that the test did not hold.
            System.out.println("RESULT failed " + Fail.oneLine(e));
            if (!(e instanceof Fail)) {
                e.printStackTrace();
            }
            exitCode = 1;
        }
        System.out.flush();
        System.exit(exitCode);
    }
}
