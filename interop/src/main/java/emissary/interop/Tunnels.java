package emissary.interop;

import java.nio.ByteBuffer;

/** What both tunnel programs agree on; interop/cpp/tunnels.h has the same. */
final class Tunnels {
    // Domains of generic messages inside, which say what the provider is to do.
    static final int ECHO = 200;
    static final int BURST = 201;
    static final int CLOSE_TUNNEL = 202;
    static final int END_CONNECTION = 203;

    static final int ECHOES = 200;
    static final int FEW_ECHOES = 20;
    static final int BURST_UPDATES = 60;
    static final int POST_ID = 7;

    private Tunnels() {}

    /** Bytes of the n-th message: many short ones, some about as long as a fragment, some of several fragments. */
    static byte[] content(int n) {
        int size = n % 10 == 0 ? 1 + n * 7919 % 60000 : n % 10 == 5 ? 6050 + n : 1 + n * 131 % 2000;
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i * 7 + i / 256 + n * 13);
        }
        return bytes;
    }

    /** Null when these are the bytes of the n-th message. */
    static String difference(int n, ByteBuffer data) {
        ByteBuffer due = ByteBuffer.wrap(content(n));
        if (data.remaining() != due.remaining()) {
            return "message " + n + " has " + data.remaining() + " bytes, " + due.remaining() + " are due";
        }
        int at = due.mismatch(data);
        return at < 0 ? null : "message " + n + " differs at byte " + at;
    }
}
