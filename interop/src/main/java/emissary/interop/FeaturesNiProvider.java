package emissary.interop;

import com.refinitiv.ema.access.ComplexType;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Map;
import com.refinitiv.ema.access.MapEntry.MapAction;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmProvider;
import com.refinitiv.ema.access.OmmProviderClient;
import com.refinitiv.ema.access.OmmProviderEvent;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.PostMsg;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.ReqMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.rdm.EmaRdm;

/**
 * Publishes what interop/cpp/features_niprovider.cpp publishes, and leaves. The library gives publishers nothing of what the
 * server sends on their streams (it logs "without a matching stream Id"), so there is no post, question or close here.
 */
public final class FeaturesNiProvider implements OmmProviderClient {
    private static final long FIRST = 1;
    private static final long SECOND = 2;
    private static final long BIG = 3;
    private static final int UPDATES = 5;

    private OmmProvider provider;
    private boolean expectRestart;
    private int published;
    private boolean due = true;
    private boolean lost;

    public static void main(String[] argv) {
        Outcome.of(() -> new FeaturesNiProvider().run(new Args(argv, Features.USAGE)));
    }

    private String run(Args args) {
        expectRestart = args.has("--expect-restart");
        provider = EmaFactory.createOmmProvider(Config.niProviderConfig(args), this);
        provider.registerClient(EmaFactory.createReqMsg().domainType(EmaRdm.MMT_LOGIN), this);
        long end = Config.deadline(args);
        while (published < (expectRestart ? 2 : 1)) {
            if (System.nanoTime() > end) {
                throw new Fail("not published " + (expectRestart ? "again " : "") + "within " + Config.patienceSeconds(args) + " s");
            }
            if (due) {
                publish();
            }
            provider.dispatch(50_000);
        }
        provider.uninitialize();
        return "published=" + published;
    }

    private void publish() {
        due = false;
        published++;
        for (long handle : new long[] {FIRST, SECOND}) {
            FieldList fields = EmaFactory.createFieldList();
            for (int id : new int[] {Features.BID, 25, 30, 31}) {
                fields.add(Features.real(id, Features.priceAfter(0)));
            }
            image(handle == FIRST ? "NI.A" : "NI.B", handle, fields);
        }
        Map orders = EmaFactory.createMap();
        for (int i = 0; i < Features.ORDERS; i++) {
            orders.add(EmaFactory.createMapEntry().keyAscii("ORDER" + i, MapAction.ADD, Features.bid(i)));
        }
        image("NI.BIG", BIG, orders);
        for (int i = 1; i <= UPDATES; i++) {
            for (long handle : new long[] {FIRST, SECOND}) {
                update(Features.priceAfter(i), handle);
            }
        }
        for (int stream : new int[] {OmmState.StreamState.OPEN, OmmState.StreamState.CLOSED}) {
            provider.submit(EmaFactory.createStatusMsg().domainType(EmaRdm.MMT_MARKET_PRICE).name("NI.B")
                    .serviceName(Config.SERVICE).state(stream, OmmState.DataState.SUSPECT, OmmState.StatusCode.NONE, "stale"), SECOND);
        }
        if (expectRestart && published == 1) {
            JavaConsumer.say("EXPECT-RESTART");
        }
    }

    private void image(String name, long handle, ComplexType payload) {
        provider.submit(EmaFactory.createRefreshMsg().domainType(EmaRdm.MMT_MARKET_PRICE).name(name)
                .serviceName(Config.SERVICE).complete(true).payload(payload)
                .state(OmmState.StreamState.OPEN, OmmState.DataState.OK, OmmState.StatusCode.NONE, "here it is"), handle);
    }

    private void update(long price, long handle) {
        provider.submit(EmaFactory.createUpdateMsg().domainType(EmaRdm.MMT_MARKET_PRICE).name(handle == FIRST ? "NI.A" : "NI.B")
                .serviceName(Config.SERVICE).payload(Features.bid(price)), handle);
    }

    /** Everything is published again after a loss. */
    private void note(OmmState login) {
        if (login.dataState() == OmmState.DataState.SUSPECT) {
            if (!lost) {
                JavaConsumer.say("SUSPECT");
            }
            lost = true;
        } else if (lost) {
            due = true;
            lost = false;
        }
    }

    @Override
    public void onRefreshMsg(RefreshMsg msg, OmmProviderEvent event) {
        if (msg.domainType() == EmaRdm.MMT_LOGIN) {
            note(msg.state());
        }
    }

    @Override
    public void onStatusMsg(StatusMsg msg, OmmProviderEvent event) {
        if (msg.domainType() == EmaRdm.MMT_LOGIN && msg.hasState()) {
            note(msg.state());
        }
    }

    @Override
    public void onPostMsg(PostMsg post, OmmProviderEvent event) {}

    @Override
    public void onGenericMsg(GenericMsg msg, OmmProviderEvent event) {}

    @Override
    public void onClose(ReqMsg msg, OmmProviderEvent event) {}

    @Override
    public void onReqMsg(ReqMsg msg, OmmProviderEvent event) {}

    @Override
    public void onReissue(ReqMsg msg, OmmProviderEvent event) {}

    @Override
    public void onAllMsg(Msg msg, OmmProviderEvent event) {}
}
