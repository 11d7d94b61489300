// The challenge in the page's frame was answered: notify the script that opened it.
parent.postMessage({ channel: document.body.dataset.channel, type: "finished" }, "*");
