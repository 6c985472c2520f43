// The executor's tool, by which its calls are known in a session.

export const ANGEL_TOOL = "angel";
