// Preloaded into the server and the sandbox (node --import). When the process that started them is gone, even by kill -9, they get SIGTERM;
// otherwise they would keep running and hold their ports.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
// Listening must not keep the process alive.
process.channel?.unref();
