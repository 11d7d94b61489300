// The challenge was answered inside the page's frame: tell the script that opened it.
parent.postMessage({ channel: document.body.dataset.channel, type: "finished" }, "*");
