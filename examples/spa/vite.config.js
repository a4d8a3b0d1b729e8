export default { server: { proxy: { "/auth/": process.env.DOORWARD_URL } } };
