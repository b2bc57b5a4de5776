package emissary.interop;

import com.refinitiv.eta.transport.Error;
import com.refinitiv.eta.transport.InitArgs;
import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.transport.Transport;
import com.refinitiv.eta.transport.TransportFactory;
import com.refinitiv.eta.transport.TransportReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ProviderRole;
import com.refinitiv.eta.valueadd.reactor.Reactor;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorReturnCodes;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** A listening port and the vendor's reactor behind it, turned by its owner. */
final class ReactorServer {
    private final ReactorErrorInfo errorInfo = ReactorFactory.createReactorErrorInfo();
    private final Reactor reactor;
    private final Server server;
    private final Selector selector;

    ReactorServer(Args args) throws IOException {
        Error error = TransportFactory.createError();
        InitArgs init = TransportFactory.createInitArgs();
        init.globalLocking(true);
        check(Transport.initialize(init, error) == TransportReturnCodes.SUCCESS, error.text());
        reactor = ReactorFactory.createReactor(ReactorFactory.createReactorOptions(), errorInfo);
        check(reactor != null, errorInfo.toString());
        server = Transport.bind(Config.bindOptions(args), error);
        check(server != null, error.text());
        selector = Selector.open();
        server.selectableChannel().register(selector, SelectionKey.OP_ACCEPT, server);
        reactor.reactorChannel().selectableChannel().register(selector, SelectionKey.OP_READ, reactor.reactorChannel());
    }

    /** What the channels of clients are registered with. */
    Selector selector() {
        return selector;
    }

    /** Waits that long at most, accepts whoever asks, and dispatches; `afterEach` runs after each message and at the end. */
    void turn(ProviderRole role, int milliseconds, Runnable afterEach) throws IOException {
        selector.select(milliseconds);
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.isValid() && key.isAcceptable()) {
                check(reactor.accept(server, ReactorFactory.createReactorAcceptOptions(), role, errorInfo)
                        == ReactorReturnCodes.SUCCESS, errorInfo.toString());
            }
        }
        while (reactor.dispatchAll(selector.selectedKeys(), ReactorFactory.createReactorDispatchOptions(), errorInfo)
                > ReactorReturnCodes.SUCCESS) {
            afterEach.run();
        }
        selector.selectedKeys().clear();
        afterEach.run();
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new Fail(otherwise);
        }
    }
}
