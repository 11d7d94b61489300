// Loaded into the server and the sandbox before their own code (node --import): when the process that started them is gone, even by
// kill -9, they are told to end like anybody else. Without this they would go on holding their ports.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
// Listening must not keep a process alive that has nothing else to do.
process.channel?.unref();
