// Go's gorilla/websocket with structs for what is sent and read, a goroutine that reads, one that writes, compression offered.
// The program's numbers are float64 throughout: ids and amounts go out as Go prints them.
//
// Usage: main URL CA-FILE all|answer|send SECONDS NAME   (CA-FILE: - without TLS)
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

type Key struct {
	Name     interface{}            `json:",omitempty"`
	Service  interface{}            `json:",omitempty"`
	Elements map[string]interface{} `json:",omitempty"`
}

type State struct {
	Stream, Data, Code, Text string
}

type UserInfo struct {
	Address string
	UserID  float64
}

type Message struct {
	ID           interface{}            `json:",omitempty"`
	Type         string                 `json:",omitempty"`
	Domain       string                 `json:",omitempty"`
	Key          *Key                   `json:",omitempty"`
	State        *State                 `json:",omitempty"`
	Streaming    *bool                  `json:",omitempty"`
	View         []string               `json:",omitempty"`
	Fields       map[string]interface{} `json:",omitempty"`
	Elements     map[string]interface{} `json:",omitempty"`
	PostID       float64                `json:",omitempty"`
	AckID        float64                `json:",omitempty"`
	NakCode      string                 `json:",omitempty"`
	Text         string                 `json:",omitempty"`
	Ack          bool                   `json:",omitempty"`
	PostUserInfo *UserInfo              `json:",omitempty"`
	Message      *Message               `json:",omitempty"`
}

type client struct {
	in, out      chan Message
	failed       chan error
	pings, pongs int
}

func dial(url, caFile string) *websocket.Conn {
	dialer := websocket.Dialer{Subprotocols: []string{"tr_json2"}, EnableCompression: true, HandshakeTimeout: 30 * time.Second}
	if strings.HasPrefix(url, "wss") {
		pem, err := os.ReadFile(caFile)
		must(err)
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(pem)
		dialer.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	conn, answer, err := dialer.Dial(url, http.Header{"User-Agent": {"Go"}})
	must(err)
	check(conn.Subprotocol() == "tr_json2", "sub-protocol", answer.Header)
	return conn
}

func newClient(conn *websocket.Conn) *client {
	c := &client{make(chan Message, 10000), make(chan Message, 100), make(chan error, 2), 0, 0}
	go func() {
		for {
			var messages []Message
			if err := conn.ReadJSON(&messages); err != nil {
				c.failed <- err
				return
			}
			for _, message := range messages {
				if message.Type == "Ping" {
					c.out <- Message{Type: "Pong"}
				}
				c.in <- message
			}
		}
	}()
	go func() {
		for message := range c.out {
			if err := conn.WriteJSON(message); err != nil {
				c.failed <- err
				return
			}
		}
	}()
	return c
}

// next is the next message of that kind and id; id nil: any.
func (c *client) next(kind string, id interface{}, conditions ...func(Message) bool) Message {
	timeout := time.After(30 * time.Second)
next:
	for {
		select {
		case message := <-c.in:
			if message.Type == "Ping" {
				c.pings++
			} else if message.Type == "Pong" {
				c.pongs++
			}
			if message.Type != kind || (id != nil && message.ID != id) {
				check(message.Type != "Error" || kind == "Error", "error", message)
				continue
			}
			for _, condition := range conditions {
				if !condition(message) {
					continue next
				}
			}
			return message
		case err := <-c.failed:
			must(err)
		case <-timeout:
			fail(fmt.Sprintf("no %s on %v", kind, id))
		}
	}
}

func (c *client) login() {
	c.out <- Message{ID: 0.0, Domain: "Login", Key: &Key{Name: "gopher", Elements: map[string]interface{}{"ApplicationId": 256, "Position": "127.0.0.1", "AllowSuspectData": 1.0}}}
	answer := c.next("Refresh", 0.0)
	check(answer.State.Stream == "Open" && answer.Elements["MaxMsgSize"].(float64) > 6000, "login", answer)
}

func (c *client) post(id, postID, bid float64, item string) Message {
	message := Message{ID: id, Type: "Post", Domain: "MarketPrice", Ack: true, PostID: postID, PostUserInfo: &UserInfo{"127.0.0.1", 31},
		Message: &Message{ID: 0.0, Type: "Update", Domain: "MarketPrice", Fields: map[string]interface{}{"BID": bid, "BIDSIZE": 1e6}}}
	if item != "" {
		message.Key = &Key{Name: item}
	}
	c.out <- message
	return c.next("Ack", id, func(m Message) bool { return m.AckID == postID })
}

func (c *client) everything(name string) string {
	c.login()
	c.out <- Message{ID: 5.0, Key: &Key{Name: name + ".A"}}
	image := c.next("Refresh", 5.0)
	check(reflect.DeepEqual(image.Key, &Key{Name: name + ".A", Service: "DIRECT_FEED"}), "key of an image", image)
	check(image.Fields["BID"].(float64) > 0, "BID", image)
	update := c.next("Update", 5.0)
	check(reflect.DeepEqual(update.Key, image.Key), "key of an update", update)
	c.out <- Message{ID: 6.0, Key: &Key{Name: "NONE." + name}}
	none := c.next("Status", 6.0)
	check(none.State.Code == "NotFound" && none.Key.Name == "NONE."+name && none.Key.Service == "DIRECT_FEED", "an item that is none", none)

	no := false
	c.out <- Message{ID: 10.0, Key: &Key{Name: []string{name + ".B", name + ".C"}}}
	c.next("Status", 10.0)
	for i, item := range []string{".B", ".C"} {
		one := c.next("Refresh", 11.0+float64(i))
		check(one.Key.Name == name+item, "image of a batch", one)
	}
	c.out <- Message{ID: 20.0, Key: &Key{Name: name + ".V"}, View: []string{"BID", "ASK"}}
	view := c.next("Refresh", 20.0)
	check(len(view.Fields) == 2, "image of a view", view)
	c.out <- Message{ID: 30.0, Key: &Key{Name: name + ".S"}, Streaming: &no}
	check(c.next("Refresh", 30.0).State.Stream == "NonStreaming", "snapshot", name)

	ack := c.post(5, 1, 12.5, "")
	check(ack.NakCode == "", "post on stream", ack)
	c.next("Update", 5.0, func(m Message) bool { return m.Fields["BID"] == 12.5 })
	ack = c.post(0, 2, 1e21/1e20, name+".A")
	check(ack.NakCode == "", "post off stream", ack)
	c.next("Update", 5.0, func(m Message) bool {
		return m.Fields["BID"] == 10.0 && m.PostUserInfo != nil && m.PostUserInfo.UserID == 31
	})
	ack = c.post(5, 3, -1, "")
	check(ack.NakCode == "InvalidContent" && ack.Text != "", "refusal of a post", ack)

	c.out <- Message{ID: []float64{11, 12}, Type: "Close"}
	check(c.next("Status", 11.0).State.Stream == "Closed", "answer to the close of a batch", name)
	c.out <- Message{ID: 5.0, Type: "Close"}
	c.out <- Message{ID: 20.0, Type: "Close"}
	c.out <- Message{Type: "Ping"}
	c.next("Pong", nil)
	c.out <- Message{ID: 40.0, Key: &Key{Name: name + ".LAST"}}
	late := c.next("Update", nil)
	check(late.ID == 40.0, "an update after the close", late)
	c.out <- Message{ID: 0.0, Type: "Close", Domain: "Login"}
	return "pongs=" + strconv.Itoa(c.pongs)
}

func (c *client) idle(send bool, seconds int) string {
	c.login()
	for end := time.Now().Add(time.Duration(seconds) * time.Second); time.Now().Before(end); {
		if send {
			c.out <- Message{Type: "Ping"}
			c.next("Pong", nil)
			time.Sleep(time.Second)
		} else {
			c.next("Ping", nil)
		}
	}
	return fmt.Sprintf("pings=%d pongs=%d", c.pings, c.pongs)
}

func fail(reason string) {
	fmt.Println("RESULT failed", reason)
	os.Exit(1)
}

func must(err error) {
	if err != nil {
		fail(err.Error())
	}
}

func check(condition bool, text string, message interface{}) {
	if !condition {
		said, _ := json.Marshal(message)
		fail(text + ": " + string(said))
	}
}

func main() {
	url, caFile, mode, name := os.Args[1], os.Args[2], os.Args[3], os.Args[5]
	seconds, err := strconv.Atoi(os.Args[4])
	must(err)
	conn := dial(url, caFile)
	c := newClient(conn)
	var said string
	if mode == "all" {
		said = c.everything(name)
	} else {
		said = c.idle(mode == "send", seconds)
	}
	// The server may have closed first: the login's end is the connection's.
	err = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(10*time.Second))
	check(err == nil || err == websocket.ErrCloseSent, "closing", fmt.Sprint(err))
	if err := <-c.failed; err != websocket.ErrCloseSent && !websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseNoStatusReceived) {
		must(err)
	}
	fmt.Println("RESULT ok", said)
}
