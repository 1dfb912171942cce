// n8n loads the nodes and credentials named in package.json; there is nothing else to export.
module.exports = {};
