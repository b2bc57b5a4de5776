// Go's golang.org/x/net/websocket with its JSON codec and maps: an origin always, no compression, no control frames of its own.
// It logs in on -1, as programs do that copy the id a server gave, and opens a hundred items one by one.
//
// Usage: main URL CA-FILE all|answer|send SECONDS NAME   (CA-FILE: - without TLS)
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/websocket"
)

type object = map[string]interface{}

var (
	socket       *websocket.Conn
	waiting      []interface{}
	pings, pongs int
)

func fail(text string, value interface{}) {
	said, _ := json.Marshal(value)
	fmt.Println("RESULT failed", text, string(said))
	os.Exit(1)
}

func check(condition bool, text string, value interface{}) {
	if !condition {
		fail(text, value)
	}
}

func say(message interface{}) {
	if err := websocket.JSON.Send(socket, message); err != nil {
		fail("sending: "+err.Error(), message)
	}
}

func next(fits func(object) bool) object {
	for {
		for len(waiting) == 0 {
			check(socket.SetReadDeadline(time.Now().Add(30*time.Second)) == nil, "deadline", nil)
			if err := websocket.JSON.Receive(socket, &waiting); err != nil {
				fail("reading: "+err.Error(), nil)
			}
		}
		message := waiting[0].(object)
		waiting = waiting[1:]
		switch message["Type"] {
		case "Ping":
			pings++
			say(object{"Type": "Pong"})
		case "Pong":
			pongs++
		case "Error":
			check(fits(message), "error", message)
		}
		if fits(message) {
			return message
		}
	}
}

func of(kind string, id float64) func(object) bool {
	return func(m object) bool { return m["Type"] == kind && m["ID"] == id }
}

func part(message object, name string) object {
	inner, _ := message[name].(object)
	return inner
}

func everything(name string) string {
	for i := 0; i < 100; i++ {
		say(object{"ID": i, "Key": object{"Name": fmt.Sprintf("%s.%d", name, i)}})
	}
	for seen := map[float64]bool{}; len(seen) < 100; {
		image := next(func(m object) bool { return m["Type"] == "Refresh" })
		id := image["ID"].(float64)
		check(part(image, "Key")["Name"] == fmt.Sprintf("%s.%g", name, id) && part(image, "Key")["Service"] == "DIRECT_FEED", "image", image)
		seen[id] = true
	}
	update := next(of("Update", 0))
	check(part(update, "Key")["Name"] == name+".0" && part(update, "Key")["Service"] == "DIRECT_FEED", "key of an update", update)
	say([]object{{"ID": 200, "Key": object{"Name": []string{name + ".X", name + ".Y"}, "Service": "DIRECT_FEED"}, "Streaming": false},
		{"ID": 300, "Key": object{"Name": name + ".V"}, "View": []interface{}{"BID", 25}}})
	for _, id := range []float64{201, 202} {
		check(part(next(of("Refresh", id)), "State")["Stream"] == "NonStreaming", "snapshot of a batch", id)
	}
	view := next(of("Refresh", 300))
	check(len(part(view, "Fields")) == 2, "view", view)

	post := func(id int, postID int, bid interface{}, key object) object {
		message := object{"ID": id, "Type": "Post", "Domain": "MarketPrice", "Ack": 1, "PostID": postID,
			"PostUserInfo": object{"Address": "127.0.0.1", "UserID": 4},
			"Message":      object{"ID": 0, "Type": "Update", "Fields": object{"BID": bid}}}
		if key != nil {
			message["Key"] = key
		}
		say(message)
		return next(of("Ack", float64(id)))
	}
	ack := post(0, 1, json.Number("7.00"), nil)
	check(ack["AckID"] == 1.0 && ack["NakCode"] == nil, "post on stream", ack)
	next(func(m object) bool { return of("Update", 0)(m) && part(m, "Fields")["BID"] == 7.0 })
	ack = post(-1, 2, json.Number("12345678901234567890e-18"), object{"Name": name + ".0"})
	check(ack["AckID"] == 2.0 && ack["NakCode"] == nil, "post off stream", ack)
	next(func(m object) bool {
		bid, _ := part(m, "Fields")["BID"].(float64)
		return of("Update", 0)(m) && bid > 12.345678 && bid < 12.345679
	})
	ack = post(-1, 3, -7, object{"Name": name + ".0"})
	check(ack["NakCode"] == "InvalidContent", "refusal of a post", ack)

	ids := []int{}
	for i := 0; i < 100; i++ {
		ids = append(ids, i)
	}
	say(object{"ID": ids, "Type": "Close"})
	check(part(next(func(m object) bool {
		return m["Type"] == "Status" && part(m, "State")["Stream"] == "Closed" && m["ID"] != 200.0
	}), "State")["Data"] == "Ok", "answer to the close of a batch", nil)
	say(object{"Type": "Ping"})
	next(func(m object) bool { return m["Type"] == "Pong" })
	for i := 0; i < 3; i++ {
		update = next(func(m object) bool { return m["Type"] == "Update" })
		check(update["ID"] == 300.0, "an update after the close", update)
	}
	say(object{"ID": -1, "Type": "Close", "Domain": "Login"})
	return "items=100"
}

func idle(send bool, seconds int) string {
	for end := time.Now().Add(time.Duration(seconds) * time.Second); time.Now().Before(end); {
		if send {
			say(object{"Type": "Ping"})
			next(func(m object) bool { return m["Type"] == "Pong" })
			time.Sleep(time.Second)
		} else {
			next(func(m object) bool { return m["Type"] == "Ping" })
		}
	}
	return fmt.Sprintf("pings=%d pongs=%d", pings, pongs)
}

func main() {
	url, caFile, mode, name := os.Args[1], os.Args[2], os.Args[3], os.Args[5]
	seconds, _ := strconv.Atoi(os.Args[4])
	config, err := websocket.NewConfig(url, "http://localhost/")
	if err != nil {
		fail(err.Error(), url)
	}
	config.Protocol = []string{"tr_json2"}
	if strings.HasPrefix(url, "wss") {
		pem, err := os.ReadFile(caFile)
		if err != nil {
			fail(err.Error(), caFile)
		}
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(pem)
		config.TlsConfig = &tls.Config{RootCAs: pool}
	}
	if socket, err = websocket.DialConfig(config); err != nil {
		fail("connecting: "+err.Error(), url)
	}
	say(object{"ID": -1, "Domain": "Login", "Key": object{"Name": "user", "Elements": object{"ApplicationId": 256, "Position": "127.0.0.1"}}})
	answer := next(of("Refresh", -1))
	check(part(answer, "State")["Stream"] == "Open", "login", answer)
	said := ""
	if mode == "all" {
		said = everything(name)
	} else {
		said = idle(mode == "send", seconds)
	}
	socket.Close()
	fmt.Println("RESULT ok", said)
}
