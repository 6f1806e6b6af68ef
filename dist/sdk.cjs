'use strict';
module.exports = require('./hook-main.cjs').sdk;
