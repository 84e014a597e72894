// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A price feed for the local chain and the tests, with the functions of Chainlink's AggregatorV3Interface.
/// Any account may set it, so it must never price real money.
contract TestPriceFeed {
    uint8 public immutable decimals;
    string public description;
    uint256 public constant version = 1;

    uint80 private _roundId = 1;
    int256 private _answer;
    /// 0: the time of the block in which it is read.
    uint256 private _updatedAt;

    constructor(uint8 decimals_, string memory description_, int256 answer_) {
        decimals = decimals_;
        description = description_;
        _answer = answer_;
    }

    function set(int256 answer_, uint256 updatedAt_) external {
        _roundId += 1;
        _answer = answer_;
        _updatedAt = updatedAt_;
    }

    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        uint256 at = _updatedAt == 0 ? block.timestamp : _updatedAt;
        return (_roundId, _answer, at, at, _roundId);
    }
}
