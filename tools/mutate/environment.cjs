const UnitEnvironment = require('../../test/support/unitEnvironment.cjs');

/** One failed test is enough: the tests after it in the file are skipped. */
module.exports = class MutantEnvironment extends UnitEnvironment {
	hasFailed = false;

	handleTestEvent(event) {
		if (event.name === 'test_fn_failure' || event.name === 'hook_failure') this.hasFailed = true;
		if (event.name === 'test_start' && this.hasFailed) event.test.mode = 'skip';
	}
};
